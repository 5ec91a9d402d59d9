// The evaluators and what collects reports. A new one is one file and one line here.
export { classification } from './classification.ts'
export { exact } from './exact.ts'
export { f1 } from './f1.ts'
export { maskedTokens } from './maskedTokens.ts'
export { isMetric, type Metric, metric } from './metric.ts'
export { perplexity } from './perplexity.ts'
export { topK } from './topK.ts'
