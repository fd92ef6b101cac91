/**
 * @file Groups texts into batches for the sentence model. The model pads all texts of a batch to the length of the longest, so
 * texts of similar length are batched together.
 */

/**
 * Maximum number of characters of a text that are passed to the model. No sentence model in Podium's list reads more than 512
 * tokens, which are usually fewer than 4000 characters.
 */
const MOST_CHARACTERS = 4000;
/** Maximum number of texts in a batch. Larger batches are not faster on a CPU, and need more memory. */
const MOST_TEXTS = 16;
/** Maximum number of characters in a batch, including padding: the number of texts times the length of the longest. */
const MOST_TOGETHER = 8000;

export interface BoundedText {
  /** The index of the text in the input. */
  readonly place: number;
  readonly text: string;
}

/** The part of a text that is passed to the model. */
export const readPart = (text: string): string => text.slice(0, MOST_CHARACTERS);

/** Batches of at least one text, short texts first. Each text is in exactly one batch. */
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
