/**
 * @file Runs an automaton over a text. The matcher follows all possible states at the same time. Its running time is at most
 * proportional to (number of states) × (length of the text).
 */
import { PATTERN_FLAGS, type Automaton, type Condition } from './automaton';

/** Maximum number of visits to states for one text. This number of visits takes about a second. */
const MOST_VISITS = 10_000_000;
/** Maximum length of a text, in UTF-16 units. */
const LONGEST_TEXT = 2_000_000;

/** Whether the automaton accepts the whole text. `null`: running the automaton would take too long. */
export function acceptsAll(automaton: Automaton, text: string): boolean | null {
  if (text.length > LONGEST_TEXT) return null;
  const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  try {
    const accepted = new Matcher(codePoints).run(automaton, false);
    return accepted[codePoints.length] === 1;
  } catch (thrown) {
    if (thrown instanceof TooLong) return null;
    throw thrown;
  }
}

class TooLong extends Error {}

const WORD = new RegExp('\\w', PATTERN_FLAGS);

class Matcher {
  readonly #text: readonly number[];
  /** For the automaton of each look-around, the positions at which it accepts. */
  readonly #looks = new Map<Automaton, Uint8Array>();
  #visits = 0;

  /** @param text code points */
  constructor(text: readonly number[]) {
    this.#text = text;
  }

  /**
   * @param isAnywhere whether a match may begin at any position. Otherwise it must begin where reading starts
   * @returns an entry for each position before, between and after the code points: 1 if the automaton accepts
   * there, else 0
   */
  run({ states, start, direction }: Automaton, isAnywhere: boolean): Uint8Array {
    const length = this.#text.length;
    const accepted = new Uint8Array(length + 1);
    const isForward = direction === 'forward';
    /** For each state, the last step that reached it, counted from 1. 0: none. */
    const reached = new Int32Array(states.length);
    let current: number[] = [start];
    for (let step = 0; step <= length; step++) {
      const position = isForward ? step : length - step;
      const following: number[] = [];
      const open = current;
      if (isAnywhere && step > 0) open.push(start);
      for (let index = open.pop(); index !== undefined; index = open.pop()) {
        if (++this.#visits > MOST_VISITS) throw new TooLong();
        if (reached[index] === step + 1) continue;
        reached[index] = step + 1;
        const state = states[index];
        switch (state?.kind) {
          case 'accept':
            accepted[position] = 1;
            break;
          case 'split':
            open.push(...state.next);
            break;
          case 'condition':
            if (this.#holds(state.condition, position)) open.push(state.next);
            break;
          case 'character': {
            const codePoint = this.#text[isForward ? position : position - 1];
            if (codePoint !== undefined && state.accepts(codePoint)) following.push(state.next);
            break;
          }
          case undefined:
            break;
          default:
            state satisfies never;
        }
      }
      if (following.length === 0 && !isAnywhere) break;
      current = following;
    }
    return accepted;
  }

  #holds(condition: Condition, position: number): boolean {
    switch (condition.kind) {
      case 'start':
        return position === 0;
      case 'end':
        return position === this.#text.length;
      case 'word':
        return (this.#isWord(position - 1) !== this.#isWord(position)) !== condition.negate;
      case 'look':
        return (this.#look(condition.automaton)[position] === 1) !== condition.negate;
      default:
        return condition satisfies never;
    }
  }

  #isWord(index: number): boolean {
    const codePoint = this.#text[index];
    return codePoint !== undefined && WORD.test(String.fromCodePoint(codePoint));
  }

  #look(automaton: Automaton): Uint8Array {
    let accepted = this.#looks.get(automaton);
    if (!accepted) {
      accepted = this.run(automaton, true);
      this.#looks.set(automaton, accepted);
    }
    return accepted;
  }
}
