import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import regexp from 'eslint-plugin-regexp';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import { APP_LINES, CORE_LINES, PLATFORM_ROOMS } from './scripts/layers.mjs';

const above = (lines, line, room) =>
  lines
    .slice(line)
    .flat()
    .filter((name) => name !== room);

/**
 * Makes a config that forbids imports matching any of the patterns. If several configs set this rule for a
 * file, ESLint applies only the last one. So each config must list all patterns for its files.
 */
const refuse = (files, ...patterns) => ({ files, rules: { 'no-restricted-imports': ['error', { patterns }] } });

/**
 * Returns a pattern that matches imports from the rooms, such as `../room`, `../room/file` and
 * `../../core/room/file`. A room is a folder inside `core/`, `platform/` or `app/`.
 */
const into = (rooms, message) => ({ regex: `(^|/)(\\.\\.|core|platform|app)/(${rooms.join('|')})(/|$)`, message });

const SVELTE_FREE = { regex: '^svelte(/|$)', message: 'Only the app may import Svelte.' };
const NO_COMPOSITION = {
  regex: '/(composition|replay|node)(/|$)',
  message: 'Only main.ts may import the composition. Nothing imports the viewer of replay files or the command line.',
};

const layers = [
  ...CORE_LINES.flatMap((rooms, line) =>
    rooms.map((room) =>
      refuse(
        [`src/core/${room}/**/*.ts`],
        into(
          ['platform', 'app', ...above(CORE_LINES, line, room)],
          `core/${room} may import only from rooms in earlier lines of CORE_LINES.`,
        ),
        NO_COMPOSITION,
        SVELTE_FREE,
      ),
    ),
  ),
  ...PLATFORM_ROOMS.map((room) =>
    refuse(
      [`src/platform/${room}/**/*.ts`],
      into(
        [
          'app',
          ...CORE_LINES.flat().filter((name) => name !== 'contract'),
          ...PLATFORM_ROOMS.filter((name) => name !== room),
        ],
        `platform/${room} may import only core/contract.`,
      ),
      NO_COMPOSITION,
      SVELTE_FREE,
    ),
  ),
  ...APP_LINES.flatMap((rooms, line) =>
    rooms.map((room) => refuse([`src/app/${room}/**/*.{ts,svelte}`], ...appPatterns(room, line))),
  ),
];

/**
 * The rules for the viewer of replay files. The viewer may import the core. From the app, it may import only
 * the rooms that draw, and the playhead with its controls (the moment of the run that is shown). It must not make
 * requests or store anything.
 */
const replay = [
  refuse(
    ['src/replay/**/*.{ts,svelte}'],
    { regex: '(^|/)platform(/|$)', message: 'The viewer touches no network, storage or Worker.' },
    {
      regex: '(^|/)app/(?!(?:ui|score|shared)/|run/(?:Scrubber|Transport|replay|timeline)(?:\\.svelte)?$)',
      message: 'The viewer may import only the drawing rooms and the playhead from the app.',
    },
    NO_COMPOSITION,
  ),
  {
    files: ['src/replay/**/*.{ts,svelte}'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'Worker', 'SharedWorker', 'indexedDB', 'caches'],
        ...['localStorage', 'sessionStorage', 'navigator', 'open'],
      ],
    },
  },
];

/** The rule for the command line. It may import the core and the platform, but not the app or Svelte. */
const node = [
  refuse(
    ['src/node/**/*.ts'],
    {
      regex: '(^|/)(app|composition|replay)(/|$)',
      message: 'The command line imports only the core and the platform.',
    },
    SVELTE_FREE,
  ),
];

function appPatterns(room, line) {
  return [
    {
      // Rooms of the core and the platform have some of these names too, such as `core/runs`.
      regex: `^(\\.\\./)+(${above(APP_LINES, line, room).join('|')})/`,
      message: `app/${room} may import only from rooms in earlier lines of APP_LINES.`,
    },
    {
      regex: '(^|/)platform/(?!(?:start-worker|worker-link|serve-calls)$)',
      message: 'From platform/, the app may import only start-worker, worker-link and serve-calls.',
    },
    NO_COMPOSITION,
  ];
}

const PARSED_JSON = {
  selector: "TSAsExpression[expression.callee.object.name='JSON'][expression.callee.property.name='parse']",
  message: 'Parse data from outside with a schema, never with JSON.parse(x) as T.',
};
const START_WORKER =
  "Start Workers with startWorker (platform/start-worker.ts), so that they inherit the page's policy.";
/** The files that may construct a Worker. The second file runs inside the sandbox, and the third one in Node. */
const STARTERS = [
  'src/platform/start-worker.ts',
  'src/platform/sandbox/runtime/guard.ts',
  'src/node/eval/table-thread.ts',
];
const OTHER_WORKERS = [
  { selector: 'NewExpression[callee.name=/^(Shared)?Worker$/]', message: START_WORKER },
  { selector: 'NewExpression[callee.property.name=/^(Shared)?Worker$/]', message: START_WORKER },
  // A `?worker` import without `&url` returns a constructor that bypasses `startWorker`.
  { selector: 'ImportDeclaration[source.value=/\\?(?!.*\\burl\\b).*\\b(shared)?worker\\b/]', message: START_WORKER },
];

const SVELTE_FILES = ['**/*.svelte', '**/*.svelte.ts'];

export default ts.config(
  {
    ignores: [
      'src/core/globals.d.ts',
      'dist/',
      'dist-bench/',
      'dist-node/',
      'dist-second/',
      'test-results/',
      'playwright-report/',
      '.vitest-attachments/',
      'test/bench/node_modules/',
      'test/clients/node_modules/',
      'test/bench/dist/',
    ],
  },
  js.configs.recommended,
  ...ts.configs.recommended,
  // Rules for Svelte files would otherwise also run in all other files, and take a fifth of the time there.
  ...[...svelte.configs.recommended, ...svelte.configs.prettier].map((config) => ({
    files: SVELTE_FILES,
    ...config,
  })),
  prettier,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: SVELTE_FILES,
    languageOptions: {
      parserOptions: {
        extraFileExtensions: ['.svelte'],
        parser: ts.parser,
        // svelte.config.js has the same setting, but isn't imported here: it contains functions, and ESLint
        // can't cache a config with functions.
        svelteConfig: { compilerOptions: { runes: true } },
      },
    },
  },
  {
    // ESLint runs only on components and their state. For all other files, `oxlint.config.mjs` reads the rules of this file, and
    // adds these.
    files: ['src/**/*.svelte'],
    // For each Svelte file, the compiler builds the whole program again. This project has no tests, and so takes half the time.
    languageOptions: { parserOptions: { project: './tsconfig.svelte.json', extraFileExtensions: ['.svelte'] } },
    rules: {
      // No stores are used, and looking for them would take more time than all other rules.
      'svelte/require-store-reactive-access': 'off',
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
      'no-restricted-syntax': ['error', PARSED_JSON],
    },
  },
  // The compiler reports unused names in these files (`noUnusedLocals`). This rule would take half of ESLint's time.
  {
    files: ['{src,test,scripts}/**/*.ts'],
    ignores: ['test/bench/**'],
    rules: { '@typescript-eslint/no-unused-vars': 'off' },
  },
  {
    // A text from a model, a file or a server must not freeze the page: the time of a pattern grows linearly with it.
    files: ['src/**/*.ts', 'src/**/*.svelte'],
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-backtracking': 'error', 'regexp/no-super-linear-move': 'error' },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.svelte'],
    ignores: STARTERS,
    rules: { 'no-restricted-syntax': ['error', PARSED_JSON, ...OTHER_WORKERS] },
  },
  ...layers,
  ...replay,
  ...node,
);
