/**
 * @file Reads a folder with a model that the user picked. Chromium provides a handle, and other browsers a list of files. Both
 * become the same list for the engines. The files stay on this machine.
 */

/** A file of the folder. `path` is relative to the folder and has forward slashes. The object can be posted to a Web Worker. */
export interface FolderFile {
  readonly path: string;
  readonly file: File;
}

/** Every file below a folder that was picked with `showDirectoryPicker()`. */
export async function readFolder(folder: FileSystemDirectoryHandle, below = ''): Promise<readonly FolderFile[]> {
  const files: FolderFile[] = [];
  for await (const [name, entry] of folder.entries()) {
    const path = `${below}${name}`;
    if (isFile(entry)) files.push({ path, file: await entry.getFile() });
    else if (isDirectory(entry)) files.push(...(await readFolder(entry, `${path}/`)));
  }
  return files;
}

/** Every file of an `<input webkitdirectory>`. Removes the folder's own name, with which the browser begins each path. */
export function readFileList(list: Iterable<File>): readonly FolderFile[] {
  return [...list].map((file) => ({ path: file.webkitRelativePath.split('/').slice(1).join('/') || file.name, file }));
}

function isFile(entry: FileSystemHandle): entry is FileSystemFileHandle {
  return entry.kind === 'file';
}

function isDirectory(entry: FileSystemHandle): entry is FileSystemDirectoryHandle {
  return entry.kind === 'directory';
}
