import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import { APP_LINES, CORE_LINES, PLATFORM_ROOMS } from './scripts/house.mjs';

const above = (lines, line, room) =>
  lines
    .slice(line)
    .flat()
    .filter((name) => name !== room);

/** Refuses imports by the room they lead to: `../room`, `../room/file`, `../../core/room/file`, … */
const refuse = (files, rooms, message, packages = []) => {
  const patterns = [{ regex: `(^|/)(\\.\\.|core|platform|app)/(${rooms.join('|')})(/|$)`, message }];
  if (packages.length > 0) patterns.push({ regex: `^(${packages.join('|')})(/|$)`, message });
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
};

const house = [
  ...CORE_LINES.flatMap((rooms, line) =>
    rooms.map((room) =>
      refuse(
        [`src/core/${room}/**/*.ts`],
        ['platform', 'app', ...above(CORE_LINES, line, room)],
        `core/${room} may import only from the rooms below it.`,
        ['svelte'],
      ),
    ),
  ),
  ...PLATFORM_ROOMS.map((room) =>
    refuse(
      [`src/platform/${room}/**/*.ts`],
      [
        'app',
        ...CORE_LINES.flat().filter((name) => name !== 'contract'),
        ...PLATFORM_ROOMS.filter((name) => name !== room),
      ],
      `platform/${room} may import only core/contract.`,
      ['svelte'],
    ),
  ),
  ...APP_LINES.flatMap((rooms, line) =>
    rooms.map((room) =>
      refuse(
        [`src/app/${room}/**/*.{ts,svelte}`],
        ['platform', ...above(APP_LINES, line, room)],
        `app/${room} may import only from below it, and never an implementation in platform/.`,
      ),
    ),
  ),
];

export default ts.config(
  {
    ignores: [
      'src/core/globals.d.ts',
      'dist/',
      'dist-bench/',
      'test-results/',
      'playwright-report/',
      '.vitest-attachments/',
      'test/bench/node_modules/',
      'test/bench/dist/',
    ],
  },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  prettier,
  ...svelte.configs.prettier,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: {
        projectService: true,
        extraFileExtensions: ['.svelte'],
        parser: ts.parser,
        // As svelte.config.js has it for our own files. Without functions, so that the linter can keep a cache.
        svelteConfig: { compilerOptions: { runes: true } },
      },
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.svelte'],
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    rules: {
      'no-undef': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "TSAsExpression[expression.callee.object.name='JSON'][expression.callee.property.name='parse']",
          message: 'Parse at the border with a schema; never JSON.parse(x) as T.',
        },
      ],
    },
  },
  ...house,
);
