/** @file The Web Worker that opens or reads one table. */
import { serveTable } from './serve-table';

serveTable(self);
