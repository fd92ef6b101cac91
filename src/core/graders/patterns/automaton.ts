/**
 * @file Compiles the syntax tree of a regular expression to an automaton. Back-references are not supported, so
 * `match.ts` can run the automaton in time linear in the length of the text.
 */
import type { AST } from '@eslint-community/regexpp';

/** A condition on a position in the text. */
export type Condition =
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'word'; readonly negate: boolean }
  | { readonly kind: 'look'; readonly negate: boolean; readonly automaton: Automaton };

/** A state of an automaton. `next`: index of the next state, or indexes of all possible next states. */
export type State =
  | { readonly kind: 'accept' }
  | { readonly kind: 'split'; readonly next: readonly number[] }
  | { readonly kind: 'character'; readonly accepts: (codePoint: number) => boolean; readonly next: number }
  | { readonly kind: 'condition'; readonly condition: Condition; readonly next: number };

/**
 * The direction in which an automaton reads the text. The automaton of a look-ahead reads `backward`, so that it accepts at
 * each position where a match of the look-ahead starts.
 */
export type Direction = 'forward' | 'backward';

export interface Automaton {
  readonly direction: Direction;
  /** Only the state at index 0 accepts. */
  readonly states: readonly State[];
  /** Index of the state in which the automaton begins. */
  readonly start: number;
}

/** Thrown if an expression can't be compiled. `reason`: a part that is not supported, or the size of the expression. */
export class UnfitPattern extends Error {
  readonly reason: 'back-reference' | 'flags' | 'too-large';

  constructor(reason: UnfitPattern['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** Maximum number of compiled nodes. A counted repetition such as `(a{50}){50}` compiles its body again for each repetition. */
const MOST_NODES = 20_000;

/** The flags of all patterns: case is ignored, and in Unicode mode a character is a code point. */
export const PATTERN_FLAGS = 'iu';

/** Compiles an expression. @throws UnfitPattern */
export function automatonOf({ alternatives }: AST.Pattern): Automaton {
  return new Compiler().automaton(alternatives, 'forward');
}

type Accepts = (codePoint: number) => boolean;

/**
 * Compiles nodes of the syntax tree. In all methods, `next` is the index of the state that follows the
 * compiled nodes.
 */
class Compiler {
  /** The number of compiled nodes. Look-arounds share this counter. */
  readonly #nodes: { count: number };
  /**
   * Functions that test a character, keyed by the spelling of the character or class. All copies of a
   * repeated element share one function.
   */
  readonly #tests: Map<string, Accepts>;
  #states: State[] = [];
  #direction: Direction = 'forward';

  constructor(nodes = { count: 0 }, tests = new Map<string, Accepts>()) {
    this.#nodes = nodes;
    this.#tests = tests;
  }

  automaton(alternatives: readonly AST.Alternative[], direction: Direction): Automaton {
    this.#direction = direction;
    this.#states = [{ kind: 'accept' }];
    const start = this.#alternatives(alternatives, 0);
    return { direction, states: this.#states, start };
  }

  #count(nodes: number): void {
    this.#nodes.count += nodes;
    if (this.#nodes.count > MOST_NODES) throw new UnfitPattern('too-large');
  }

  /** @returns the index of the new state */
  #add(state: State): number {
    return this.#states.push(state) - 1;
  }

  #alternatives(alternatives: readonly AST.Alternative[], next: number): number {
    this.#count(alternatives.length);
    const starts = alternatives.map(({ elements }) => this.#sequence(elements, next));
    const [only] = starts;
    return starts.length === 1 && only !== undefined ? only : this.#add({ kind: 'split', next: starts });
  }

  #sequence(elements: readonly AST.Element[], next: number): number {
    // Compiles in reverse reading order, because each element needs the state that follows it.
    const compiled = this.#direction === 'forward' ? elements.toReversed() : elements;
    return compiled.reduce((following, element) => this.#element(element, following), next);
  }

  #element(element: AST.Element, next: number): number {
    this.#count(1);
    switch (element.type) {
      case 'Assertion':
        return this.#add({ kind: 'condition', condition: this.#condition(element), next });
      case 'Quantifier':
        return this.#repeated(element, next);
      case 'Group':
        if (element.modifiers) throw new UnfitPattern('flags');
        return this.#alternatives(element.alternatives, next);
      case 'CapturingGroup':
        return this.#alternatives(element.alternatives, next);
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return this.#add({ kind: 'character', accepts: this.#accepts(element.raw), next });
      case 'Backreference':
        throw new UnfitPattern('back-reference');
      default:
        return element satisfies never;
    }
  }

  #repeated({ element, min, max }: AST.Quantifier, next: number): number {
    let following = next;
    if (max === Infinity) {
      const loop = this.#add({ kind: 'split', next: [] });
      this.#states[loop] = { kind: 'split', next: [this.#element(element, loop), next] };
      following = loop;
    } else {
      for (let optional = min; optional < max; optional++) {
        following = this.#add({ kind: 'split', next: [this.#element(element, following), next] });
      }
    }
    for (let required = 0; required < min; required++) following = this.#element(element, following);
    return following;
  }

  #condition(assertion: AST.Assertion): Condition {
    switch (assertion.kind) {
      case 'start':
      case 'end':
        return { kind: assertion.kind };
      case 'word':
        return { kind: 'word', negate: assertion.negate };
      case 'lookahead':
      case 'lookbehind': {
        const direction = assertion.kind === 'lookahead' ? 'backward' : 'forward';
        const compiler = new Compiler(this.#nodes, this.#tests);
        const automaton = compiler.automaton(assertion.alternatives, direction);
        return { kind: 'look', negate: assertion.negate, automaton };
      }
      default:
        return assertion satisfies never;
    }
  }

  /** @param raw a character, an escape or a class, as the pattern spells it */
  #accepts(raw: string): Accepts {
    const known = this.#tests.get(raw);
    if (known) return known;
    const expression = new RegExp(`^${raw}$`, PATTERN_FLAGS);
    const results = new Map<number, boolean>();
    const accepts: Accepts = (codePoint) => {
      let result = results.get(codePoint);
      if (result === undefined) {
        result = expression.test(String.fromCodePoint(codePoint));
        results.set(codePoint, result);
      }
      return result;
    };
    this.#tests.set(raw, accepts);
    return accepts;
  }
}
