// Where a failure is shown: the shell makes it (notice.ts), what begins and steers a source writes into it.

export interface Notices {
  show(message: string, lines?: readonly string[], action?: NoticeAction): void;
  clear(): void;
}

export interface NoticeAction {
  readonly name: string;
  press(): void;
}
