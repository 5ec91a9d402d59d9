import type {} from 'electron'
import { answerQuery, type QueryRequest } from '../store/query/answer.ts'

// The process of one query: utility processes can only be started by main, which kills it once it has answered.
process.parentPort.once('message', ({ data }: { data: QueryRequest }) => {
  process.parentPort.postMessage(answerQuery(data))
})
