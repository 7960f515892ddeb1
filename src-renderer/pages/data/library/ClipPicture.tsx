import { useIntersection } from '@mantine/hooks';
import { useRef } from 'react';
import classes from '../data.module.css';
import { useClipWay } from './use-clip-way.ts';

/** A picture of a clip, fetched when it comes into sight. What it shows stands in words beside it. */
export function ClipPicture({ clip }: { clip: string }) {
  const wasSeen = useRef(false);
  const { ref, entry } = useIntersection<HTMLSpanElement>();
  wasSeen.current ||= entry?.isIntersecting === true;
  const { data, tries, isBroken, onError } = useClipWay(clip, wasSeen.current);
  return (
    <span ref={ref}>
      {data && !isBroken ? (
        <img key={`${data.poster} ${tries}`} className={classes.picture} src={data.poster} alt="" onError={onError} />
      ) : (
        <span className={classes.picture} />
      )}
    </span>
  );
}
