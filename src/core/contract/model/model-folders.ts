/**
 * @file Folders of model files. The user picks such a folder, and its files never leave the machine.
 * platform/engine implements these interfaces.
 */
import type { ModelManifest } from './local-engine';

/** `asks`: the browser must ask the user for permission first. `gone`: the user must pick the folder again. */
export type FolderAccess = 'open' | 'asks' | 'gone';

/** A model whose source may be a folder. */
export type FolderModel = Pick<ModelManifest, 'id' | 'source'>;

/** A picked folder that does not belong to a model yet. */
export interface PickedFolder {
  readonly name: string;
  /** Assigns the folder to a model, and replaces the model's previous folder. */
  keepFor(modelId: string): Promise<void>;
}

/** Manages the folders of models, at most one per model. `PickedFile` is `File` in the browser. */
export interface ModelFolders<PickedFile> {
  /** Whether the browser has a folder picker. If not, use an `<input webkitdirectory>`. */
  readonly canPick: boolean;
  /** Shows the picker. @returns `null` if the user cancelled */
  pick(): Promise<PickedFolder | null>;
  /** Accepts the files of an `<input webkitdirectory>`. @returns `null` if there are no files */
  register(files: Iterable<PickedFile>): PickedFolder | null;
  /** Whether a model's folder can be read. */
  access(model: FolderModel): Promise<FolderAccess>;
  /** Requests the permission to read a folder. Browsers require a click for this. @returns whether the folder can be read now */
  reopen(model: FolderModel): Promise<boolean>;
  /** Removes the folder of a deleted model. */
  forget(modelId: string): Promise<void>;
}
