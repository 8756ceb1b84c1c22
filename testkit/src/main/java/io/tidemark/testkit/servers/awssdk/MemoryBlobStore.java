// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers.awssdk;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.S3Exceptions;
import org.gaul.s3proxy.blobstore.SdkRequests;
import org.gaul.s3proxy.blobstore.SdkResponses;
import org.gaul.s3proxy.blobstore.domain.MultipartUpload;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.BucketCannedACL;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.CreateBucketRequest;
import software.amazon.awssdk.services.s3.model.CreateBucketResponse;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadBucketRequest;
import software.amazon.awssdk.services.s3.model.HeadBucketResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListBucketsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/**
 * What S3Proxy asks of a store, on buckets in memory. A body is read to its end, and so checked by
 * the front end against its checksum, before anything is changed.
 */
public final class MemoryBlobStore implements BlobStore {

  private final BucketBehavior usual;
  private final Map<String, MemoryBucket> buckets = new ConcurrentHashMap<>();

  /**
   * @param usual how a bucket behaves that a client creates
   */
  public MemoryBlobStore(BucketBehavior usual) {
    this.usual = usual;
  }

  /** Creates a bucket that behaves as the traits say. */
  public void create(String name, BucketBehavior traits) {
    if (buckets.putIfAbsent(name, new MemoryBucket(name, traits)) != null) {
      throw S3Exceptions.bucketAlreadyOwnedByYou(name);
    }
  }

  private MemoryBucket bucket(String name) {
    MemoryBucket bucket = buckets.get(name);
    if (bucket == null) {
      throw S3Exceptions.noSuchBucket(name, "there is no bucket " + name);
    }
    return bucket;
  }

  // Buckets

  @Override
  public ListBucketsResponse list() {
    return ListBucketsResponse.builder()
        .buckets(
            buckets.entrySet().stream()
                .map(e -> SdkResponses.bucket(e.getKey(), e.getValue().created()))
                .toList())
        .build();
  }

  @Override
  public HeadBucketResponse headBucket(HeadBucketRequest request) {
    bucket(request.bucket());
    return HeadBucketResponse.builder().build();
  }

  @Override
  public CreateBucketResponse createContainer(CreateBucketRequest request) {
    create(request.bucket(), usual);
    return CreateBucketResponse.builder().build();
  }

  @Override
  public void deleteBucket(String name) {
    MemoryBucket bucket = buckets.get(name);
    if (bucket != null && !bucket.isEmpty()) {
      throw S3Exceptions.bucketNotEmpty(name);
    }
    buckets.remove(name);
  }

  @Override
  public BucketCannedACL getContainerAccess(String container) {
    return BucketCannedACL.PRIVATE;
  }

  @Override
  public void setContainerAccess(String container, BucketCannedACL access) {
    throw new UnsupportedOperationException("every bucket is private");
  }

  @Override
  public ListObjectsV2Response list(ListObjectsV2Request request) {
    return bucket(request.bucket()).list(request);
  }

  // Objects

  /**
   * The front end asks this only to answer a write with If-Match on what isn't there; a bucket that
   * ignores conditions must not get that answer.
   */
  @Override
  public boolean blobExists(String container, String name) {
    MemoryBucket bucket = bucket(container);
    return !bucket.traits().judgesWrites() || bucket.find(name) != null;
  }

  @Override
  @SuppressWarnings("deprecation") // expires is what the front end passes on
  public PutObjectResponse putBlob(PutObjectRequest request, InputStream payload) {
    MemoryBucket bucket = bucket(request.bucket());
    byte[] bytes = readAll(payload, request.contentLength());
    String etag = MemoryObject.etagOf(bytes);
    GetObjectResponse description =
        GetObjectResponse.builder()
            .eTag(etag)
            .lastModified(now(bucket))
            .contentLength((long) bytes.length)
            .contentType(request.contentType())
            .contentEncoding(request.contentEncoding())
            .contentDisposition(request.contentDisposition())
            .contentLanguage(request.contentLanguage())
            .cacheControl(request.cacheControl())
            .expires(request.expires())
            .metadata(request.metadata())
            .build();
    MemoryObject object = new MemoryObject(description, bytes);
    bucket.put(request.key(), object, request.ifMatch(), request.ifNoneMatch());
    return SdkResponses.putResponse(etag);
  }

  @Override
  public CopyObjectResponse copyBlob(CopyObjectRequest request) {
    throw new UnsupportedOperationException("copying is left out: nothing here copies");
  }

  @Override
  public HeadObjectResponse blobMetadata(HeadObjectRequest request) {
    return SdkResponses.toHead(require(request.bucket(), request.key()).description());
  }

  @Override
  public ResponseInputStream<GetObjectResponse> getBlob(GetObjectRequest request) {
    MemoryObject object = require(request.bucket(), request.key());
    judgeRead(object, request);
    byte[] bytes = object.bytes();
    if (request.range() == null) {
      return SdkResponses.getResponse(object.description(), new ByteArrayInputStream(bytes));
    }
    ByteRange range = ByteRange.of(request.range(), bytes.length);
    GetObjectResponse part =
        object.description().toBuilder()
            .contentLength((long) range.length())
            .contentRange("bytes " + range.first() + "-" + range.last() + "/" + bytes.length)
            .build();
    return SdkResponses.getResponse(
        part, new ByteArrayInputStream(bytes, range.first(), range.length()));
  }

  private static void judgeRead(MemoryObject object, GetObjectRequest request) {
    String etag = object.description().eTag();
    if (request.ifMatch() != null && !MemoryBucket.matches(object, request.ifMatch())) {
      throw S3Exceptions.preconditionFailed(null);
    }
    if (request.ifNoneMatch() != null && MemoryBucket.matches(object, request.ifNoneMatch())) {
      throw S3Exceptions.fromStatusCode(304, etag, Map.of(), null);
    }
  }

  @Override
  public DeleteObjectResponse removeBlob(DeleteObjectRequest request) {
    bucket(request.bucket()).remove(request.key(), request.ifMatch());
    return DeleteObjectResponse.builder().build();
  }

  @Override
  public ObjectCannedACL getBlobAccess(String container, String name) {
    return ObjectCannedACL.PRIVATE;
  }

  @Override
  public void setBlobAccess(String container, String name, ObjectCannedACL access) {
    throw new UnsupportedOperationException("every object is private");
  }

  private MemoryObject require(String container, String key) {
    MemoryObject object = bucket(container).find(key);
    if (object == null) {
      throw S3Exceptions.noSuchKey(container, key, "there is no object " + key);
    }
    return object;
  }

  // Multipart uploads

  @Override
  public MultipartUpload initiateMultipartUpload(CreateMultipartUploadRequest request) {
    MemoryBucket bucket = bucket(request.bucket());
    String id = UUID.randomUUID().toString();
    bucket.uploads().put(id, new MemoryUpload(request, now(bucket)));
    return new MultipartUpload(id, request);
  }

  @Override
  public UploadPartResponse uploadMultipartPart(
      MultipartUpload mpu, UploadPartRequest request, InputStream payload) {
    MemoryUpload upload = upload(mpu);
    byte[] bytes = readAll(payload, request.contentLength());
    upload.put(request.partNumber(), bytes);
    return SdkResponses.uploadedPart(MemoryObject.etagOf(bytes));
  }

  @Override
  @SuppressWarnings("deprecation") // expires is what the front end passes on
  public CompleteMultipartUploadResponse completeMultipartUpload(
      MultipartUpload mpu, CompleteMultipartUploadRequest request) {
    MemoryBucket bucket = bucket(mpu.containerName());
    MemoryUpload upload = upload(mpu);
    MemoryUpload.Assembled whole = upload.assemble(request.multipartUpload().parts());
    CreateMultipartUploadRequest begun = upload.request();
    GetObjectResponse description =
        GetObjectResponse.builder()
            .eTag(whole.etag())
            .lastModified(now(bucket))
            .contentLength((long) whole.bytes().length)
            .contentType(begun.contentType())
            .contentEncoding(begun.contentEncoding())
            .contentDisposition(begun.contentDisposition())
            .contentLanguage(begun.contentLanguage())
            .cacheControl(begun.cacheControl())
            .expires(begun.expires())
            .metadata(begun.metadata())
            .build();
    MemoryObject object = new MemoryObject(description, whole.bytes());
    bucket.put(mpu.blobName(), object, request.ifMatch(), request.ifNoneMatch());
    bucket.uploads().remove(mpu.id());
    return SdkResponses.completeResponse(whole.etag());
  }

  @Override
  public void abortMultipartUpload(MultipartUpload mpu) {
    upload(mpu);
    bucket(mpu.containerName()).uploads().remove(mpu.id());
  }

  /** Empty for an upload that is gone: the front end then looks whether it was completed before. */
  @Override
  public List<Part> listMultipartUpload(MultipartUpload mpu) {
    MemoryUpload upload = bucket(mpu.containerName()).uploads().get(mpu.id());
    return upload == null ? List.of() : upload.listed();
  }

  @Override
  public List<software.amazon.awssdk.services.s3.model.MultipartUpload> listMultipartUploads(
      String container) {
    return bucket(container).uploads().entrySet().stream()
        .map(
            e ->
                SdkResponses.upload(
                    e.getValue().request().key(), e.getKey(), e.getValue().initiated()))
        .toList();
  }

  @Override
  public long getMinimumMultipartPartSize() {
    return 5L * 1024 * 1024;
  }

  private MemoryUpload upload(MultipartUpload mpu) {
    MemoryUpload upload = bucket(mpu.containerName()).uploads().get(mpu.id());
    if (upload == null) {
      throw NoSuchUploadException.builder()
          .statusCode(404)
          .message("there is no upload " + mpu.id())
          .build();
    }
    return upload;
  }

  /** S3 keeps whole seconds, and clients see no more through a header. */
  private static Instant now(MemoryBucket bucket) {
    return Instant.ofEpochSecond(bucket.traits().clock().instant().getEpochSecond());
  }

  private static byte[] readAll(InputStream payload, @Nullable Long expected) {
    try (payload) {
      byte[] bytes = payload.readAllBytes();
      if (expected != null && bytes.length != expected) {
        throw new IOException("the body ended after " + bytes.length + " of " + expected);
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException("the body was not received, nothing is stored", e);
    }
  }

  /** The bytes a Range header names, both ends included. */
  private record ByteRange(int first, int last) {
    static ByteRange of(String header, int size) {
      SdkRequests.ByteRange asked = Objects.requireNonNull(SdkRequests.parseRange(header));
      Long from = asked.first();
      Long to = asked.last();
      long first = from != null ? from : Math.max(0, size - Objects.requireNonNull(to));
      long last = from == null || to == null ? size - 1 : Math.min(to, size - 1);
      if (first > last) {
        throw S3Exceptions.fromStatusCode(416);
      }
      return new ByteRange((int) first, (int) last);
    }

    int length() {
      return last - first + 1;
    }
  }
}
