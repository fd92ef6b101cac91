/** @file A stand-in for the service of local models. The test describes the machine, and decides when a model loads. */
import type { LocalModels } from '../../../src/app/services';
import type {
  CachedModel,
  FolderAccess,
  MachineProbe,
  ModelFolders,
  ModelManifest,
  PickedFolder,
} from '../../../src/core/contract';
import { fitModel } from '../../../src/platform/engine/fit';
import { createModelHost } from '../../../src/platform/engine/host';
import { manifest, ScriptedLoader } from '../../platform/engine/scripted-loader';

export const SMALL = manifest('Small', { engine: 'transformers', download: 5e8, memory: 1e9, why: 'Runs anywhere.' });
export const LARGE = manifest('Large', {
  download: 4.3e9,
  memory: 5e9,
  needs: ['shader-f16'],
  withoutHalf: 'test:Large f32',
  why: 'The default.',
});
const LARGE_F32 = manifest('Large f32', {
  download: 4.4e9,
  memory: 5.4e9,
  why: 'The default, in full precision.',
});

export const DESK: MachineProbe = {
  gpu: {
    vendor: 'nvidia',
    architecture: 'ada',
    description: 'A fine card',
    software: false,
    half: true,
    maxBuffer: 4e9,
    maxStorageBinding: 2e9,
    maxWorkgroupStorage: 2 ** 15,
    maxStorageBuffers: 10,
  },
  gpuProblem: null,
  isPhone: false,
  memory: 8,
  freeStorage: 61e9,
};

export const NO_GPU: MachineProbe = { ...DESK, gpu: null, gpuProblem: 'This browser offers no WebGPU.' };

export interface ModelStage {
  readonly services: LocalModels;
  readonly loader: ScriptedLoader;
  readonly cached: CachedModel[];
  readonly own: ModelManifest[];
  readonly folders: ScriptedFolders;
}

/** A stand-in for the user's folders. The test decides whether they open. */
export class ScriptedFolders implements ModelFolders<File> {
  canPick = true;
  state: FolderAccess = 'open';
  /** Whether the user grants access to the folder when `reopen` is called. */
  isAllowed = true;
  picked: string | null = 'my-weights';

  /** Folder names by model id. */
  readonly kept = new Map<string, string>();

  access(): Promise<FolderAccess> {
    return Promise.resolve(this.state);
  }
  pick(): Promise<PickedFolder | null> {
    const { picked: name } = this;
    if (name === null) return Promise.resolve(null);
    const keepFor = (modelId: string) => {
      this.state = 'open';
      return Promise.resolve(void this.kept.set(modelId, name));
    };
    return Promise.resolve({ name, keepFor });
  }
  forget(modelId: string): Promise<void> {
    return Promise.resolve(void this.kept.delete(modelId));
  }
  register(): null {
    return null;
  }
  reopen(): Promise<boolean> {
    if (this.isAllowed) this.state = 'open';
    return Promise.resolve(this.isAllowed);
  }
}

export function modelStage(machine: MachineProbe = DESK): ModelStage {
  const loader = new ScriptedLoader();
  const cached: CachedModel[] = [];
  const own: ModelManifest[] = [];
  const folders = new ScriptedFolders();
  const drop = (list: { splice(start: number, count: number): unknown }, index: number) =>
    index !== -1 && list.splice(index, 1);
  const services: LocalModels = {
    host: createModelHost({
      loaders: { webllm: async () => loader, transformers: async () => loader, browser: async () => loader },
    }),
    own: {
      list: () => Promise.resolve([...own]),
      put(model) {
        drop(
          own,
          own.findIndex(({ id }) => id === model.id),
        );
        own.push(model);
        return Promise.resolve();
      },
      delete: (id) =>
        Promise.resolve(
          void drop(
            own,
            own.findIndex((model) => model.id === id),
          ),
        ),
    },
    folders,
    desk: () =>
      Promise.resolve({
        builtIn: [SMALL, LARGE, LARGE_F32],
        favourite: LARGE.id,
        probe: () => Promise.resolve(machine),
        fit: fitModel,
        cache: {
          list: () => Promise.resolve([...cached]),
          delete: ({ id }) =>
            Promise.resolve(
              void drop(
                cached,
                cached.findIndex((model) => model.manifestId === id),
              ),
            ),
        },
      }),
  };
  return { services, loader, cached, own, folders };
}
