/**
 * @file Compiles a grammar before it reaches an engine. A bad one stops an engine without a word: WebLLM in its worker never
 * answers again, and web-xgrammar itself only says "aborted".
 */
import { fault, FaultError, type Fault } from '../../core/contract';
import { loadXGrammar } from './xgrammar';

/** The last grammar that was good: a Conductor asks for the same one many times. */
let lastGood: string | null = null;

/**
 * Resolves if `grammar` can be compiled.
 * Throws a `FaultError` (`bad-request`) if it cannot; xgrammar's own words are on the console only.
 */
export async function checkGrammar(grammar: string): Promise<void> {
  if (grammar === lastGood) return;
  const { Grammar } = await loadXGrammar();
  try {
    const parsed = await Grammar.fromEBNF(grammar);
    parsed.dispose();
  } catch {
    throw new FaultError(badGrammar());
  }
  lastGood = grammar;
}

function badGrammar(): Fault {
  const message =
    'The grammar that the answer must follow has a mistake, so no model was asked. Turn the grammar off on Models and try again.';
  return fault('bad-request', message);
}
