/** @file Folders with models that the user picked. Their files never leave the machine. Implemented by platform/engine. */
import type { ModelManifest } from './local-engine';

/** `asks`: the browser asks the user before the folder is read. `gone`: the user has to pick it again. */
export type FolderAccess = 'open' | 'asks' | 'gone';

/** A model whose source may be a folder. */
export type FolderModel = Pick<ModelManifest, 'id' | 'source'>;

/** A folder that was picked and belongs to no model yet. */
export interface PickedFolder {
  readonly name: string;
  /** Makes it the folder of a model and replaces the previous one. */
  keepFor(modelId: string): Promise<void>;
}

/** Each model has a folder of its own. `PickedFile` is the platform's type of file, which the core does not know. */
export interface ModelFolders<PickedFile> {
  /** Whether the browser has a folder picker. Without one, an `<input webkitdirectory>` does it. */
  readonly canPick: boolean;
  /** Shows the picker. @returns `null` if the user cancelled */
  pick(): Promise<PickedFolder | null>;
  /** Accepts the files of an `<input webkitdirectory>`. @returns `null` if there are none */
  take(files: Iterable<PickedFile>): PickedFolder | null;
  /** Whether a model's folder can be read now. */
  access(model: FolderModel): Promise<FolderAccess>;
  /** Makes the browser ask the user, so call it from a click only. @returns whether the folder can be read now */
  reopen(model: FolderModel): Promise<boolean>;
  /** Drops the folder of a deleted model. */
  forget(modelId: string): Promise<void>;
}
