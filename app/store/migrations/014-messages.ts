import { guards } from './013-finished.ts'

/** The triggers of 013 once more: in stores of before, their messages were expressions, which only SQLite 3.47 reads. */
export const messages = guards.map(({ name, sql }) => `drop trigger ${name};${sql}`).join('\n')
