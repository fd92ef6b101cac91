/** @file Checks whether a file exists or is executable. */
import { access, constants } from 'node:fs/promises';

/** Whether the file exists. */
export function exists(path: string): Promise<boolean> {
  return isAccessible(path, constants.F_OK);
}

/** Whether the file exists and is executable. */
export function isExecutable(path: string): Promise<boolean> {
  return isAccessible(path, constants.X_OK);
}

function isAccessible(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
