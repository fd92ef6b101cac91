export interface TinyShape {
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly keyHeads: number;
  readonly inner: number;
}

/** Writes the model's files into a folder, which is made where it is not there; gives their names and bytes. */
export function writeTinyModel(folder: string, shape?: TinyShape): Promise<Readonly<Record<string, number>>>;
