export interface TinyShape {
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly keyHeads: number;
  readonly inner: number;
}

/** Writes the model's files into a folder, which is created if it does not exist. Returns file names with their sizes in bytes. */
export function writeTinyModel(folder: string, shape?: TinyShape): Promise<Readonly<Record<string, number>>>;
