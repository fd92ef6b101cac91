/**
 * @file Prepares the global scope before Pyodide is imported. Pyodide calls `importScripts` to detect a classic Web Worker, and
 * refuses to load in a classic Worker. So `importScripts` is removed. The frame's policy would block the call, but the browser
 * would log it.
 */
import { silence, removeFromScope } from './limits';

removeFromScope('importScripts');
silence(console);
