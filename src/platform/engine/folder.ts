/**
 * @file Lists the files of a model folder that the user picked. Chromium provides a directory
 * handle. Other browsers provide a list of files. Both are converted to the same format. The files
 * stay on this machine.
 */

/**
 * A file in the folder. `path` is relative to the folder, with forward slashes. The object can be
 * posted to a Web Worker.
 */
export interface FolderFile {
  readonly path: string;
  readonly file: File;
}

/** Lists all files in a folder from `showDirectoryPicker()`, including its subfolders. */
export async function readFolder(folder: FileSystemDirectoryHandle, below = ''): Promise<readonly FolderFile[]> {
  const files: FolderFile[] = [];
  for await (const [name, entry] of folder.entries()) {
    const path = `${below}${name}`;
    if (isFile(entry)) files.push({ path, file: await entry.getFile() });
    else if (isDirectory(entry)) files.push(...(await readFolder(entry, `${path}/`)));
  }
  return files;
}

/**
 * Lists all files of an `<input webkitdirectory>`. Removes the name of the picked folder from the
 * start of each path.
 */
export function readFileList(list: Iterable<File>): readonly FolderFile[] {
  return [...list].map((file) => ({ path: file.webkitRelativePath.split('/').slice(1).join('/') || file.name, file }));
}

function isFile(entry: FileSystemHandle): entry is FileSystemFileHandle {
  return entry.kind === 'file';
}

function isDirectory(entry: FileSystemHandle): entry is FileSystemDirectoryHandle {
  return entry.kind === 'directory';
}
