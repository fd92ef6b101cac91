/** @file Finds the unit of a quantity, so that 5 cm² is not equal to 5 cm³ or 5 cm. */

/** The spellings of units that are compared. Other units, such as “apples” and “km/h”, are ignored. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['mm', 'mm|millimet(?:er|re)s?'],
  ['cm', 'cm|centimet(?:er|re)s?'],
  ['m', 'm|met(?:er|re)s?'],
  ['km', 'km|kilomet(?:er|re)s?'],
  ['in', 'in|inch(?:es)?'],
  ['ft', 'ft|foot|feet'],
  ['yd', 'yds?|yards?'],
  ['mi', 'mi|miles?'],
  ['unit', 'units?'],
  ['mg', 'mg|milligrams?'],
  ['g', 'g|grams?'],
  ['kg', 'kg|kilograms?'],
  ['lb', 'lbs?|pounds?'],
  ['oz', 'oz|ounces?'],
  ['ml', 'ml|millilit(?:er|re)s?'],
  ['l', 'l|lit(?:er|re)s?'],
  ['s', 'sec(?:ond)?s?'],
  ['min', 'min(?:ute)?s?'],
  ['h', 'hours?|hrs?'],
  ['d', 'days?'],
  ['week', 'weeks?'],
  ['month', 'months?'],
  ['year', 'years?'],
  ['dollar', 'dollars?'],
  ['cent', 'cents?'],
];

const UNIT = new RegExp(
  String.raw`(?<=[\d)}]|\\pi)\s*(square |sq\.? ?|cubic |cu\.? ?)?(${SPELLINGS.map(([, words]) => words).join('|')})(?:\s*\^\s*\{?\s*(-?\d)\s*\}?|\s+(squared|cubed))?[\s.]*$`,
  'i',
);
const NAMES = SPELLINGS.map(([name, words]) => ({ name, words: new RegExp(`^(?:${words})$`, 'i') }));

interface Unit {
  readonly name: string;
  readonly power: number;
}

/** Whether two quantities have units that differ. The unit “units” stands for any unit, but not for any power. */
export function differInUnit(one: string, other: string): boolean {
  const [a, b] = [unitOf(one), unitOf(other)];
  if (!a || !b) return false;
  return a.power !== b.power || (a.name !== b.name && a.name !== 'unit' && b.name !== 'unit');
}

/** A quantity whose unit has brackets around it, as in `9 (apples)`, in LaTeX. */
export function withPlainUnit(text: string): string {
  return text.replace(/^(\s*-?[\d.,/]{1,30}\s)\(([a-z]{2,30}(?: [a-z]{2,30}){0,3})\)\s*$/i, '$1\\text{$2}');
}

function unitOf(latex: string): Unit | null {
  const plain = latex
    .replace(/\\(?:text|textbf|textrm|mathrm|mbox|textnormal)\s*\{([^{}]*)\}/g, ' $1')
    .replace(/\\[,;:! ]|[~$]/g, ' ')
    .replace(/²/g, '^2')
    .replace(/³/g, '^3')
    .slice(-60);
  const [, prefix = '', word = '', digit, suffix = ''] = UNIT.exec(plain) ?? [];
  // A single letter without a space before it is a symbol, as in `3m`.
  if (word === '' || (word.length === 1 && !/\s\w(?:\s*\^[^\n]*(?:\n[\s.]*)?|[\s.]*)$/.test(plain))) return null;
  const name = NAMES.find(({ words }) => words.test(word))?.name;
  if (name === undefined) return null;
  const raised = /^sq/i.test(prefix) || suffix === 'squared' ? 2 : prefix !== '' || suffix === 'cubed' ? 3 : 1;
  return { name, power: digit === undefined ? raised : Number(digit) };
}
