/**
 * How long, in ms, a test waits for what it expects. It is no figure of speed: what comes ends the wait, and a machine
 * that is busy with other work may take minutes.
 */
export const PATIENCE = 300_000
