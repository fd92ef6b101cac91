/** @file The folders with models that the user picked, by name, for as long as the page lives. */
import { isAbort, type ModelManifest } from '../../core/contract';
import { readFileList, readFolder, type FolderFile } from './folder';

/** Chromium's picker; other browsers have an `<input webkitdirectory>` instead. */
interface PickerScope {
  showDirectoryPicker?: (options?: { readonly id?: string }) => Promise<FileSystemDirectoryHandle>;
}

export interface PickedFolders {
  readonly canPick: boolean;
  /** @returns the folder's name; `null` if the user thought better of it */
  pick(): Promise<string | null>;
  /** Takes what an `<input webkitdirectory>` gave. @returns the folder's name; `null` if it was empty */
  take(files: Iterable<File>): string | null;
  /** The files of a model whose source is a folder; none if that was not picked in this session. */
  filesOf(manifest: ModelManifest): Promise<readonly FolderFile[]>;
}

export function createPickedFolders(scope: PickerScope = globalThis as PickerScope): PickedFolders {
  const folders = new Map<string, () => Promise<readonly FolderFile[]>>();
  return {
    canPick: scope.showDirectoryPicker !== undefined,
    async pick() {
      try {
        const folder = await scope.showDirectoryPicker?.({ id: 'podium-model' });
        if (!folder) return null;
        folders.set(folder.name, () => readFolder(folder));
        return folder.name;
      } catch (thrown) {
        if (isAbort(thrown)) return null;
        throw thrown;
      }
    },
    take(files) {
      const list = [...files];
      const name = list[0]?.webkitRelativePath.split('/')[0];
      if (!name) return null;
      folders.set(name, () => Promise.resolve(readFileList(list)));
      return name;
    },
    async filesOf({ source }) {
      return source.kind === 'folder' ? ((await folders.get(source.name)?.()) ?? []) : [];
    },
  };
}
