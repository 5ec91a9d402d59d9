// The published recipes. A new one is one file and one line here.
export { deit } from './deit.ts'
export { gmlp } from './gmlp.ts'
export { mixer } from './mixer.ts'
export { mlm } from './mlm.ts'
export { resmlp } from './resmlp.ts'
