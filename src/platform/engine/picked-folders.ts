/**
 * @file The folders with models that the user picked, by name. Where the browser has handles for folders they are kept, and
 * after a reload one click opens the folder again; elsewhere a folder is known for as long as the page lives.
 */
import { isAbort, type ModelManifest } from '../../core/contract';
import { readFileList, readFolder, type FolderFile } from './folder';

/** Chromium's picker; other browsers have an `<input webkitdirectory>` instead. */
interface PickerScope {
  showDirectoryPicker?: (options?: { readonly id?: string }) => Promise<FileSystemDirectoryHandle>;
}

/** Where handles are kept from visit to visit. */
interface Handles {
  get(name: string): Promise<FileSystemDirectoryHandle | null>;
  put(handle: FileSystemDirectoryHandle): Promise<void>;
}

/** Chromium's; not yet in the language's own types. */
interface Permitted {
  queryPermission?: (wanted: { readonly mode: 'read' }) => Promise<PermissionState>;
  requestPermission?: (wanted: { readonly mode: 'read' }) => Promise<PermissionState>;
}

/** `asks`: it is known where it is, and the browser asks the user before it is read. `gone`: it has to be picked again. */
export type FolderAccess = 'open' | 'asks' | 'gone';

export interface PickedFolders {
  readonly canPick: boolean;
  /** @returns the folder's name; `null` if the user thought better of it */
  pick(): Promise<string | null>;
  /** Takes what an `<input webkitdirectory>` gave. @returns the folder's name; `null` if it was empty */
  take(files: Iterable<File>): string | null;
  /** Whether a folder can be read now. */
  access(name: string): Promise<FolderAccess>;
  /** Has the browser ask the user; only upon a click. @returns whether the folder can be read now */
  reopen(name: string): Promise<boolean>;
  /** The files of a model whose source is a folder; none if that cannot be read. */
  filesOf(manifest: ModelManifest): Promise<readonly FolderFile[]>;
}

const READ = { mode: 'read' } as const;

export function createPickedFolders(handles: Handles, scope: PickerScope = globalThis as PickerScope): PickedFolders {
  /** Folders that can be read now. */
  const open = new Map<string, () => Promise<readonly FolderFile[]>>();
  const admit = (folder: FileSystemDirectoryHandle) => open.set(folder.name, () => readFolder(folder));

  async function access(name: string): Promise<FolderAccess> {
    if (open.has(name)) return 'open';
    // Without storage a folder is simply not remembered.
    const folder: (FileSystemDirectoryHandle & Permitted) | null = await handles.get(name).catch(() => null);
    if (!folder) return 'gone';
    const permission = (await folder.queryPermission?.(READ)) ?? 'denied';
    if (permission === 'granted') admit(folder);
    // A refusal is final; picking the folder anew is not.
    return ({ granted: 'open', prompt: 'asks', denied: 'gone' } as const)[permission];
  }

  return {
    canPick: scope.showDirectoryPicker !== undefined,
    async pick() {
      try {
        const folder = await scope.showDirectoryPicker?.({ id: 'podium-model' });
        if (!folder) return null;
        admit(folder);
        await handles.put(folder).catch(() => undefined);
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
      open.set(name, () => Promise.resolve(readFileList(list)));
      return name;
    },
    access,
    async reopen(name) {
      const folder: (FileSystemDirectoryHandle & Permitted) | null = await handles.get(name).catch(() => null);
      if (open.has(name)) return true;
      const permission = (await folder?.requestPermission?.(READ)) ?? 'denied';
      if (folder && permission === 'granted') admit(folder);
      return permission === 'granted';
    },
    async filesOf({ source }) {
      if (source.kind !== 'folder' || (await access(source.name)) !== 'open') return [];
      try {
        return (await open.get(source.name)?.()) ?? [];
      } catch (thrown) {
        if (!isMissing(thrown)) throw thrown;
        // It was moved or deleted since.
        open.delete(source.name);
        return [];
      }
    },
  };
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof DOMException && (thrown.name === 'NotFoundError' || thrown.name === 'NotAllowedError');
}
