export const bytes = 600;
