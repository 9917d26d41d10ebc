/** Where the objects are in an S3-compatible store. */
export interface S3Address {
  readonly bucket: string;
  /** What comes before each name: '' or a path that ends in `/`. */
  readonly prefix: string;
  /** The address of the bucket, to which `/` and a key are added. */
  readonly url: string;
  readonly region: string;
}

const FORM = 's3://bucket/prefix?endpoint=https://host:port&region=us-east-1';
const PARAMETERS = ['endpoint', 'region', 'addressing'];

/**
 * Reads `s3://bucket/prefix?endpoint=...&region=...&addressing=path|virtual`. Without an endpoint it is Amazon's. The
 * bucket stands in the path of a given endpoint and in the host name of Amazon's, unless `addressing` says otherwise.
 * @throws {Error} whose message ends the sentence that begins with the variable's name
 * @example
 * parseS3Address('s3://pictures/production?endpoint=http://127.0.0.1:9000').url; // 'http://127.0.0.1:9000/pictures'
 */
export function parseS3Address(text: string): S3Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 's3:') throw new Error(`has to be an address of the form ${FORM}`);
  if (url.username !== '' || url.password !== '')
    throw new Error('has no keys in its address: they go into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  const bucket = url.hostname;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || url.port !== '')
    throw new Error(
      `has no valid bucket name in s3://${url.host}: 3 to 63 lower-case letters, digits, dots and hyphens`,
    );
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) throw new Error(`has an unknown parameter ${unknown}: ${PARAMETERS.join(', ')}`);
  const region = url.searchParams.get('region') ?? 'us-east-1';
  if (!/^[a-z0-9-]+$/.test(region)) throw new Error(`has a region that is none: ${region}`);
  return {
    bucket,
    prefix: prefixOf(url.pathname),
    url: bucketUrl(bucket, region, url.searchParams.get('endpoint'), url.searchParams.get('addressing')),
    region,
  };
}

function prefixOf(pathname: string): string {
  const parts = pathname.split('/').filter((part) => part !== '');
  if (!parts.every((part) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(part)))
    throw new Error('has a prefix with other characters than letters, digits, `.`, `_`, `-` and `/`');
  return parts.map((part) => `${part}/`).join('');
}

function bucketUrl(
  bucket: string,
  region: string,
  endpoint: string | null,
  addressing: string | null,
): string {
  if (addressing !== null && addressing !== 'path' && addressing !== 'virtual')
    throw new Error(`has an unknown addressing ${addressing}: path or virtual`);
  if (endpoint !== null && !/^https?:\/\/[^/?#@]+\/?$/.test(endpoint))
    throw new Error(`has an endpoint that is not of the form https://host:port: ${endpoint}`);
  const { protocol, host } = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  // A certificate for *.s3.region.amazonaws.com does not fit a bucket with dots.
  const isVirtual =
    addressing === null ? endpoint === null && !bucket.includes('.') : addressing === 'virtual';
  return isVirtual ? `${protocol}//${bucket}.${host}` : `${protocol}//${host}/${bucket}`;
}
