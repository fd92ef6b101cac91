/** @file ESLint's own rules as a plugin for Oxlint (`oxlint.config.mjs`). */
import { builtinRules } from 'eslint/use-at-your-own-risk';

const NAMES = ['no-restricted-imports', 'no-restricted-syntax', 'no-restricted-globals'];

export default {
  meta: { name: 'eslint-js' },
  rules: Object.fromEntries(NAMES.map((name) => [name, builtinRules.get(name)])),
};
