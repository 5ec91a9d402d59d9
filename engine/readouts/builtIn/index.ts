// The built-in read-outs. A new one is one file and one line here.
export { gap } from './gap.ts'
export { gradientNorm } from './gradientNorm.ts'
export { memory } from './memory.ts'
export { mixingLocality } from './mixingLocality.ts'
export { mixingSparsity } from './mixingSparsity.ts'
export { multiplyAdds } from './multiplyAdds.ts'
export { parameters } from './parameters.ts'
export { train } from './train.ts'
