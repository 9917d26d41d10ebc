import { parseS3Address } from '../../../store/s3/address.ts';

it.each([
  [
    's3://b-1.c/some/place/?endpoint=http://127.0.0.1:9000',
    'http://127.0.0.1:9000/b-1.c',
    'some/place/',
    'us-east-1',
  ],
  ['s3://pictures?endpoint=https://s3.example/&region=auto', 'https://s3.example/pictures', '', 'auto'],
  ['s3://pictures?region=eu-west-1', 'https://pictures.s3.eu-west-1.amazonaws.com', '', 'eu-west-1'],
  ['s3://pic.tures?region=eu-west-1', 'https://s3.eu-west-1.amazonaws.com/pic.tures', '', 'eu-west-1'],
  [
    's3://pictures?endpoint=https://oss.example&addressing=virtual',
    'https://pictures.oss.example',
    '',
    'us-east-1',
  ],
])('%s is the bucket %s', (text, url, prefix, region) => {
  expect(parseS3Address(text)).toMatchObject({ url, prefix, region });
});

it.each([
  ['', 'has to be an address of the form s3://bucket/prefix?endpoint='],
  ['http://host/bucket', 'has to be an address of the form s3://'],
  ['s3://', 'no valid bucket name'],
  ['s3://a', 'no valid bucket name in s3://a'],
  ['s3://UPPER', 'no valid bucket name'],
  ['s3://host:9000/bucket', 'no valid bucket name in s3://host:9000'],
  ['s3://key:secret@bucket', 'has no keys in its address: they go into AWS_ACCESS_KEY_ID'],
  ['s3://bucket/a%20b', 'has a prefix with other characters'],
  [
    's3://bucket?endpoint=localhost:9000',
    'an endpoint that is not of the form https://host:port: localhost:9000',
  ],
  ['s3://bucket?endpoint=http://host/path', 'an endpoint that is not of the form'],
  ['s3://bucket?acl=public', 'an unknown parameter acl: endpoint, region, addressing'],
  ['s3://bucket?addressing=other', 'an unknown addressing other'],
  ['s3://bucket?region=Here', 'a region that is none: Here'],
])('%s is refused: it %s', (text, message) => {
  expect(() => parseS3Address(text)).toThrow(message);
});
