/** @file The files of a model, wherever they come from: a hub with our cache before it, or a folder on this machine. */
import type { FolderFile } from '../folder';

export interface FoundFile {
  /** Bytes; `null` where the other side does not tell. */
  readonly size: number | null;
  /** Already on this machine. */
  readonly isHere: boolean;
}

/** Paths are relative to the model, `onnx/model.onnx`. All of it may throw a `FaultError`. */
export interface ModelFiles {
  /** `null` if the model has no such file. */
  find(path: string): Promise<FoundFile | null>;
  /**
   * Brings a file to this machine; what is here is left alone.
   * @param onbytes told the size of each piece as it arrives
   * @returns whether the model has such a file
   */
  bring(path: string, onbytes: (count: number) => void): Promise<boolean>;
  /** Opens what is on this machine; `null` for anything else. */
  open(path: string): Promise<Response | null>;
}

/** A folder that the user picked, or one in it: the one that holds `config.json`. */
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
