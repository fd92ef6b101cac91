// The rules of `eslint.config.js` for all files but components. Oxlint checks them several times as fast as ESLint.
import eslint from './eslint.config.js';

const configs = eslint.filter(
  ({ rules, files }) => rules && !files?.every((glob) => /\.svelte(?:\.[jt]s)?$/.test(glob)),
);

const isOn = (entry) => entry !== 'off' && entry !== 0;
/** All rules that some config turns on. Those that are only turned off may be unknown to Oxlint. */
const known = new Set(configs.flatMap(({ rules }) => Object.keys(rules).filter((rule) => isOn(rules[rule]))));
// These are errors of Oxlint's parser: an octal number in a module, and two parameters of the same name.
['no-octal', 'no-dupe-args'].forEach((rule) => known.delete(rule));

const nameInOxlint = (rule) =>
  rule.startsWith('no-restricted-') ? `eslint-js/${rule}` : rule.replace('@typescript-eslint/', 'typescript/');

const translate = (rules) =>
  Object.fromEntries(
    Object.entries(rules)
      .filter(([rule]) => known.has(rule))
      .map(([rule, entry]) => [nameInOxlint(rule), entry]),
  );

export default {
  plugins: ['eslint', 'typescript', 'import'],
  jsPlugins: ['eslint-plugin-regexp', { name: 'eslint-js', specifier: './scripts/eslint-rules.mjs' }],
  categories: { correctness: 'off' },
  ignorePatterns: eslint[0].ignores,
  overrides: [
    ...configs.map(({ files = ['**/*'], ignores = [], rules }) => ({
      files,
      excludeFiles: ignores,
      rules: translate(rules),
    })),
    {
      files: ['src/**/*.ts'],
      rules: {
        'import/no-cycle': ['error', { ignoreTypes: false }],
        'typescript/no-floating-promises': 'error',
        'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      },
    },
  ],
};
