import { sentence } from '../sentence.ts';

const NO_PERMISSION =
  'this user has no permission. Give the user permission to it and its folder, or give another path.';

const EXPLANATIONS: Readonly<Record<string, string>> = {
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EROFS: 'its disk is read-only. Give a path on another disk.',
  ENOENT: 'it does not exist, or its folder does not. Correct the path, or make the folder first.',
  EEXIST: 'a file has this name. Give the path of an existing folder, or of a new one.',
  ENOTDIR: 'a part of its path is a file, and not a folder. Correct the path.',
  EISDIR: 'it is a folder. Give the path of a file.',
  ENOSPC: 'the disk is full. Make room, and run the command again.',
  EDQUOT: 'the disk quota of this user is used up. Make room, and run the command again.',
  ENAMETOOLONG: 'its name is too long. Give a shorter one.',
};

export function explainFileError(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return EXPLANATIONS[code] ?? sentence(message);
}
