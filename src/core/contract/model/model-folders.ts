/** @file Folders that the user picked, with model files. The files never leave the machine. Implemented by platform/engine. */
import type { ModelManifest } from './local-engine';

/** `asks`: the browser must ask the user for permission first. `gone`: the user must pick the folder again. */
export type FolderAccess = 'open' | 'asks' | 'gone';

/** A model whose source may be a folder. */
export type FolderModel = Pick<ModelManifest, 'id' | 'source'>;

/** A picked folder that does not belong to a model yet. */
export interface PickedFolder {
  readonly name: string;
  /** Assigns the folder to a model. It replaces the model's previous folder. */
  keepFor(modelId: string): Promise<void>;
}

/** A model has at most one folder. `PickedFile` is the platform's file type, which the core does not define. */
export interface ModelFolders<PickedFile> {
  /** Whether the browser has a folder picker. If not, use an `<input webkitdirectory>`. */
  readonly canPick: boolean;
  /** Shows the picker. @returns `null` if the user cancelled */
  pick(): Promise<PickedFolder | null>;
  /** Accepts the files of an `<input webkitdirectory>`. @returns `null` if there are no files */
  register(files: Iterable<PickedFile>): PickedFolder | null;
  /** Whether a model's folder can be read. */
  access(model: FolderModel): Promise<FolderAccess>;
  /** Makes the browser ask the user, so call it from a click only. @returns whether the folder can be read now */
  reopen(model: FolderModel): Promise<boolean>;
  /** Drops the folder of a deleted model. */
  forget(modelId: string): Promise<void>;
}
