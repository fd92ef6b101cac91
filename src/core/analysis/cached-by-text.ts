/**
 * @file Caches the results of functions whose only input is a text. For example, the trained policy needs the
 * embedding of every worker's description again for each plan.
 */

/**
 * Returns a function that works like `work`, but caches the most recently used results. Callers share the result objects, and
 * must not change them.
 * @param most maximum number of cached results
 */
export function cachedByText<Result>(work: (text: string) => Result, most: number): (text: string) => Result {
  const results = new Map<string, { readonly result: Result }>();
  return (text) => {
    const known = results.get(text);
    // Deleting and setting an entry moves it to the end. So the first entry is the least recently used one.
    if (known) results.delete(text);
    const entry = known ?? { result: work(text) };
    results.set(text, entry);
    const [oldest] = results.size > most ? results.keys() : [];
    if (oldest !== undefined) results.delete(oldest);
    return entry.result;
  };
}
