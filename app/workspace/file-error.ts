const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'lies below something that is not a folder',
  EEXIST: 'exists already and is not a folder',
  EISDIR: 'is a folder',
  NOT_REGULAR: 'is a pipe or a device, and not a regular file',
  EACCES: 'the system denies access',
  EPERM: 'the system denies access',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  ERR_FS_FILE_TOO_LARGE: 'is too large to be read at once',
}

/** The code of an error from `node:fs`, e.g. `ENOENT`, or '' for any other error. */
export function fileErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** What an error from `node:fs` means, in a few words and without the path. */
export function fileErrorReason(error: unknown): string {
  return reasons[fileErrorCode(error)] ?? (error instanceof Error ? error.message : String(error))
}
