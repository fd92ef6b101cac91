/** @file Parses the EBNF of Podium’s grammars, and generates random texts that match a grammar. */
import { randomIndex, type Random } from '../../../src/core/contract';

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'class'; readonly pattern: RegExp }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'optional'; readonly inner: Node }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly parts: readonly Node[] };

export type Rules = ReadonlyMap<string, Node>;

/** For a character class such as `[a-z]`, a random text contains a character from this list that the class allows. */
const CHARACTERS = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  'é',
  '求',
  '“',
  '’',
  '…',
  '\u0085',
];
const TOKEN = /\s*("(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|[\w-]+|[()|?])/y;

export function readGrammar(text: string): Rules {
  const rules = new Map<string, Node>();
  for (const line of text.trim().split('\n')) {
    const [name = '', body = ''] = line.split(/ ::= (.*)/s);
    const tokens = tokensOf(body);
    rules.set(name, readChoice(tokens));
    if (tokens.length > 0) throw new Error(`Cannot read rule ${name}: ${tokens.join(' ')}`);
  }
  return rules;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) tokens.push(match[1] ?? '');
  if (tokens.join('') !== text.replaceAll(/("(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\])|\s+/g, '$1')) {
    throw new Error(`Cannot read ${text}`);
  }
  return tokens;
}

function readChoice(tokens: string[]): Node {
  const parts = [readSequence(tokens)];
  while (tokens[0] === '|') {
    tokens.shift();
    parts.push(readSequence(tokens));
  }
  return { kind: 'choice', parts };
}

function readSequence(tokens: string[]): Node {
  const parts: Node[] = [];
  while (tokens.length > 0 && tokens[0] !== '|' && tokens[0] !== ')') {
    const inner = readAtom(tokens);
    const optional = tokens[0] === '?';
    if (optional) tokens.shift();
    parts.push(optional ? { kind: 'optional', inner } : inner);
  }
  return { kind: 'sequence', parts };
}

function readAtom(tokens: string[]): Node {
  const token = tokens.shift() ?? '';
  if (token.startsWith('"')) return { kind: 'text', text: String(JSON.parse(token)) };
  if (token.startsWith('[')) return { kind: 'class', pattern: new RegExp(`^${token}$`) };
  if (token !== '(') return { kind: 'rule', name: token };
  const inner = readChoice(tokens);
  if (tokens.shift() !== ')') throw new Error('A group is not closed.');
  return inner;
}

function rule(rules: Rules, name: string): Node {
  const node = rules.get(name);
  if (!node) throw new Error(`There is no rule ${name}.`);
  return node;
}

export function randomWalk(rules: Rules, random: Random): string {
  const write = (node: Node): string => {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'class': {
        const allowed = CHARACTERS.filter((character) => node.pattern.test(character));
        return allowed[randomIndex(random, allowed.length)] ?? '';
      }
      case 'rule':
        return write(rule(rules, node.name));
      case 'optional':
        return random() < 0.5 ? write(node.inner) : '';
      case 'sequence':
        return node.parts.map(write).join('');
      case 'choice':
        return node.parts.map((part) => () => write(part))[randomIndex(random, node.parts.length)]?.() ?? '';
      default:
        return node satisfies never;
    }
  };
  return write(rule(rules, 'root'));
}
