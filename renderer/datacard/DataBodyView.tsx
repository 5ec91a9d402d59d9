import { useMemo } from 'react'
import { type DataBody, dataBody } from '../../engine/datacard/schema.ts'
import { CardView } from './CardView.tsx'
import { SamplesView } from './SamplesView.tsx'
import '../styles/datacard.css'

/** What a cell shows of a data set. Throws an Error where a kernel sent something else. */
export function DataBodyView({ body }: { body: DataBody }) {
  const { card, samples, batch } = useMemo(() => dataBody.parse(body), [body])
  return (
    <div className="datacard" data-testid="datacard">
      {card && <CardView card={card} named />}
      {samples && <SamplesView samples={samples} what="Samples" />}
      {batch && <SamplesView samples={batch} what="A batch as the model gets it" />}
    </div>
  )
}
