// Whether bytes are a text, by what they are and not by a name.

const kLooked = 512;

/** Whether what begins with these bytes can be read as text, in any encoding that has ASCII in it. */
export const isText = (bytes: Uint8Array): boolean => bytes.subarray(0, kLooked).every(isOfText);

/** No control character but white space and the beginning of a terminal's colour. */
const isOfText = (byte: number): boolean => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b;
