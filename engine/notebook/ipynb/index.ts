export { readIpynb } from './read.ts'
export type { JupyterOutput } from './types.ts'
export { writeIpynb } from './write.ts'
