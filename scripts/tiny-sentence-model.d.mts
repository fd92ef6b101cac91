/** Writes the model's files into a folder, which is made where it is not there; gives their names and bytes. */
export function writeTinySentenceModel(folder: string): Promise<Readonly<Record<string, number>>>;
