/**
 * @file Prepares the global scope before Pyodide is imported. Pyodide calls `importScripts` to detect a classic Web Worker, and
 * refuses to load in one. So `importScripts` is removed. The content security policy of the frame would block the call anyway, but
 * the browser would log it.
 */
import { silence, removeFromScope } from './limits';

removeFromScope('importScripts');
silence(console);
