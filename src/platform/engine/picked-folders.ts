/**
 * @file Manages the folders that the user picked for local models, one for each model. Chromium can store a folder's handle, so
 * that after a reload one click opens the folder again. Other browsers forget a folder on reload.
 */
import { isAbort, type FolderAccess, type FolderModel, type ModelFolders } from '../../core/contract';
import { readFileList, readFolder, type FolderFile } from './folder';

/** Chromium's picker. Other browsers have an `<input webkitdirectory>` instead. */
interface PickerScope {
  showDirectoryPicker?: (options?: { readonly id?: string }) => Promise<FileSystemDirectoryHandle>;
}

/** Stores handles across visits. */
interface Handles {
  get(modelId: string, name: string): Promise<FileSystemDirectoryHandle | null>;
  put(modelId: string, handle: FileSystemDirectoryHandle): Promise<void>;
  delete(modelId: string): Promise<void>;
}

/** Chromium's permission methods, which TypeScript's types lack. */
interface Permitted {
  queryPermission?: (wanted: { readonly mode: 'read' }) => Promise<PermissionState>;
  requestPermission?: (wanted: { readonly mode: 'read' }) => Promise<PermissionState>;
}

export interface PickedFolders extends ModelFolders<File> {
  /** The files of a model whose source is a folder. Empty if the folder cannot be read. */
  filesOf(model: FolderModel): Promise<readonly FolderFile[]>;
}

const READ = { mode: 'read' } as const;

export function createPickedFolders(handles: Handles, scope: PickerScope = globalThis as PickerScope): PickedFolders {
  /** Folders that can be read now, by model. */
  const open = new Map<string, () => Promise<readonly FolderFile[]>>();
  /** Models whose folder was moved or deleted. The browser may still report permission to read it. */
  const missing = new Set<string>();
  const admit = (modelId: string, folder: FileSystemDirectoryHandle) => open.set(modelId, () => readFolder(folder));

  async function handleOf({ id, source }: FolderModel): Promise<(FileSystemDirectoryHandle & Permitted) | null> {
    // If storage fails, the folder has to be picked again.
    return source.kind === 'folder' ? handles.get(id, source.name).catch(() => null) : null;
  }

  async function access(model: FolderModel): Promise<FolderAccess> {
    if (missing.has(model.id)) return 'gone';
    if (open.has(model.id)) return 'open';
    const folder = await handleOf(model);
    if (!folder) return 'gone';
    const permission = (await folder.queryPermission?.(READ)) ?? 'denied';
    if (permission === 'granted') admit(model.id, folder);
    // If the user has denied permission, the folder has to be picked again.
    return ({ granted: 'open', prompt: 'asks', denied: 'gone' } as const)[permission];
  }

  return {
    canPick: scope.showDirectoryPicker !== undefined,
    async pick() {
      try {
        const folder = await scope.showDirectoryPicker?.({ id: 'podium-model' });
        if (!folder) return null;
        return {
          name: folder.name,
          async keepFor(modelId) {
            missing.delete(modelId);
            admit(modelId, folder);
            await handles.put(modelId, folder).catch(() => undefined);
          },
        };
      } catch (thrown) {
        if (isAbort(thrown)) return null;
        throw thrown;
      }
    },
    register(files) {
      const list = [...files];
      const name = list[0]?.webkitRelativePath.split('/')[0];
      if (!name) return null;
      return {
        name,
        async keepFor(modelId) {
          missing.delete(modelId);
          open.set(modelId, () => Promise.resolve(readFileList(list)));
          // This folder has no handle. A stored handle belongs to an earlier folder, so it is deleted.
          await handles.delete(modelId).catch(() => undefined);
        },
      };
    },
    access,
    async reopen(model) {
      if (missing.has(model.id)) return false;
      if (open.has(model.id)) return true;
      const folder = await handleOf(model);
      const permission = (await folder?.requestPermission?.(READ)) ?? 'denied';
      if (folder && permission === 'granted') admit(model.id, folder);
      return permission === 'granted';
    },
    async forget(modelId) {
      open.delete(modelId);
      missing.delete(modelId);
      await handles.delete(modelId).catch(() => undefined);
    },
    async filesOf(model) {
      if (model.source.kind !== 'folder' || (await access(model)) !== 'open') return [];
      try {
        return (await open.get(model.id)?.()) ?? [];
      } catch (thrown) {
        const isMissing = isNamed(thrown, 'NotFoundError');
        if (!isMissing && !isNamed(thrown, 'NotAllowedError')) throw thrown;
        open.delete(model.id);
        if (isMissing) missing.add(model.id);
        return [];
      }
    },
  };
}

function isNamed(thrown: unknown, name: string): boolean {
  return thrown instanceof DOMException && thrown.name === name;
}
