/** Writes the model's files into a folder, which is created if it does not exist. Returns file names with their sizes in bytes. */
export function writeTinySentenceModel(folder: string): Promise<Readonly<Record<string, number>>>;
