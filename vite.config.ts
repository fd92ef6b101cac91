import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { offline } from './scripts/offline.ts';
import { pythonRuntime } from './scripts/python-runtime.ts';
import { contentSecurityPolicy } from './scripts/security.ts';

export default defineConfig({
  plugins: [svelte(), pythonRuntime(), contentSecurityPolicy(), offline()],
  // Relative, so that the built files work from any folder of any static host.
  base: './',
  worker: { format: 'es' },
  build: { target: 'es2023', sourcemap: true, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 8000 },
});
