/**
 * @file Caches results that depend only on one text. For example, every plan needs the embeddings of the descriptions of all
 * workers.
 */

/**
 * Returns a version of the function that caches its latest results. All callers get the same result object, so they must not
 * change it.
 * @param most maximum number of cached results
 */
export function cachedByText<Result>(work: (text: string) => Result, most: number): (text: string) => Result {
  const results = new Map<string, { readonly result: Result }>();
  return (text) => {
    const known = results.get(text);
    // Entries are in the order of their last use, so the first entry is evicted.
    if (known) results.delete(text);
    const entry = known ?? { result: work(text) };
    results.set(text, entry);
    const [oldest] = results.size > most ? results.keys() : [];
    if (oldest !== undefined) results.delete(oldest);
    return entry.result;
  };
}
