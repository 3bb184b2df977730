/** A page as one HTML text, with all its scripts and styles inside: tools/build_package.mjs makes it. */
declare module '*?document' {
  const html: string;
  export default html;
}
