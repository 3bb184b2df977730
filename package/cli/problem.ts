// What the user reads when a command cannot do what was asked: one sentence, and an exit code.

/** Exit code of report, ask and diff that have no answer: 1 says that there is one, and which. */
export const kNoAnswer = 2;

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Why a file could not be opened, read or written, in words. */
export function fileProblem(error: unknown, path: string, exitCode: number): Problem {
  if (error instanceof Problem) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file or folder',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is no folder',
    EACCES: 'access is not permitted',
    EPERM: 'access is not permitted',
    ENOSPC: 'the disk is full',
    EIO: 'the device fails',
    EROFS: 'the disk is for reading only',
    EMFILE: 'too many files are open',
    ENAMETOOLONG: 'the name is too long',
    ELOOP: 'its links lead in a circle',
    EEXIST: 'another run of this command left it, or writes it now',
    EPIPE: 'its reader has ended',
    ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
  };
  return new Problem(`"${path}": ${words[code] ?? (error instanceof Error ? error.message : String(error))}`, exitCode);
}
