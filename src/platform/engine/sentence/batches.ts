/**
 * @file Cuts texts into batches that a model reads at once. All texts of a batch are as long to it as the longest, so those of
 * one length go together.
 */

/**
 * Characters of a text that are read, so that time and memory are bounded. No model here reads more than 512 tokens: in prose
 * they are fewer characters; of code or long unbroken strings the models would have read a little further.
 */
const MOST_CHARACTERS = 4000;
/** More at once is no quicker on a processor, and takes more memory. */
const MOST_TEXTS = 16;
/** Texts of a batch times the longest of them. */
const MOST_TOGETHER = 8000;

export interface BoundedText {
  /** Its place among those that were given. */
  readonly place: number;
  readonly text: string;
}

/** The part of a text that is read. */
export const readPart = (text: string): string => text.slice(0, MOST_CHARACTERS);

/** Batches of at least one text, the short ones first; every text is in one of them. */
export function batchesOf(texts: readonly string[]): readonly (readonly BoundedText[])[] {
  const bounded = texts.map((text, place) => ({ place, text: readPart(text) }));
  const batches: BoundedText[][] = [];
  let batch: BoundedText[] = [];
  for (const each of bounded.toSorted((one, other) => one.text.length - other.text.length)) {
    if (batch.length === MOST_TEXTS || (batch.length > 0 && (batch.length + 1) * each.text.length > MOST_TOGETHER)) {
      batches.push(batch);
      batch = [];
    }
    batch.push(each);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
