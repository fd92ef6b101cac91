/**
 * @file The interface to a model's files. The source is a hub with a local cache, or a folder on
 * this machine.
 */
import type { FolderFile } from '../folder';

export interface FoundFile {
  /** Size in bytes. `null` if the server doesn't report it. */
  readonly size: number | null;
  /** Whether the file is on this machine. */
  readonly isHere: boolean;
}

/** Paths are relative to the model's folder, for example `onnx/model.onnx`. Every method may throw a `FaultError`. */
export interface ModelFiles {
  /** Looks up a file without downloading it. `null` if the model has no such file. */
  find(path: string): Promise<FoundFile | null>;
  /**
   * Downloads a file unless it is on this machine.
   * @param onbytes called with the size of each received chunk
   * @returns whether the model has such a file
   */
  bring(path: string, onbytes: (count: number) => void): Promise<boolean>;
  /** Opens a file. `null` if the file is not on this machine. */
  open(path: string): Promise<Response | null>;
}

/**
 * Reads a model's files from a folder that the user picked. Paths are relative to the folder that
 * contains `config.json`.
 */
export function folderFiles(files: readonly FolderFile[]): ModelFiles {
  const root = rootOf(files.map(({ path }) => path));
  const known = new Map(files.map(({ path, file }) => [path.slice(root.length), file]));
  return {
    find(path) {
      const file = known.get(path);
      return Promise.resolve(file ? { size: file.size, isHere: true } : null);
    },
    bring: (path) => Promise.resolve(known.has(path)),
    open(path) {
      const file = known.get(path);
      return Promise.resolve(file ? new Response(file) : null);
    },
  };
}

function rootOf(paths: readonly string[]): string {
  const configs = paths.filter((path) => path === 'config.json' || path.endsWith('/config.json'));
  const [nearest = ''] = configs.toSorted((one, other) => one.length - other.length);
  return nearest.slice(0, -'config.json'.length);
}
