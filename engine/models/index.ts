// The architectures. A new one is one file and one line here; its published sizes are lines in sizes.ts.
export { gmlp } from './gmlp.ts'
export { mixer } from './mixer.ts'
