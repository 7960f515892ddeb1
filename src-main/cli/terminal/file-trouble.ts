const WHY: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no file «${path}».`,
  ENOTDIR: (path) => `There is no file «${path}».`,
  EISDIR: (path) => `«${path}» is a folder, and a file is wanted.`,
  EACCES: (path) => `You may not read «${path}».`,
  EPERM: (path) => `You may not read «${path}».`,
};

/** Why a file that was named as an argument cannot be read, in a sentence. */
export function fileTrouble(path: string, { code = '', message }: NodeJS.ErrnoException): string {
  return WHY[code]?.(path) ?? `«${path}» cannot be read: ${message}`;
}
