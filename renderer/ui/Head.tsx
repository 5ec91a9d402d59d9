import type { ReactNode } from 'react'

/** The head of a column; `number` of one of numbers. */
export function Head({ number, children }: { number?: boolean; children: ReactNode }) {
  return (
    <th scope="col" className={number ? 'number' : undefined}>
      {children}
    </th>
  )
}
