import { MixlabError } from '../../errors.ts'
import type { OpenOperation } from './record.ts'

/** Thrown for an operation of a model that no graph can have. */
export class OperationError extends MixlabError {
  readonly operation: OpenOperation
  /** What is wrong with it, in few words. */
  readonly what: string
  constructor(source: string, what: string, operation: OpenOperation, more = '') {
    super('weights', source, `cannot be written as a graph: ${what}${more}`)
    this.what = what
    this.operation = operation
  }
}
