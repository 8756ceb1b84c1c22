// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectStore;
import java.io.ByteArrayOutputStream;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Iceberg's files as objects of our store, so that its requests are counted and delayed as ours
 * are. A file is one request to write and one to read.
 */
final class ObjectFileIo implements FileIO {
  private static final long serialVersionUID = 1L;

  private final transient ObjectStore store;

  ObjectFileIo(ObjectStore store) {
    this.store = store;
  }

  @Override
  public InputFile newInputFile(String path) {
    return new In(path);
  }

  @Override
  public OutputFile newOutputFile(String path) {
    return new Out(path);
  }

  @Override
  public void deleteFile(String path) {
    store.delete(path);
  }

  private final class In implements InputFile {
    private final String path;
    private byte @Nullable [] fetched; // null until somebody asks

    In(String path) {
      this.path = path;
    }

    private InMemoryInputFile file() {
      byte[] bytes = fetched;
      if (bytes == null) {
        bytes =
            store
                .get(path)
                .orElseThrow(() -> new NotFoundException("there is no %s", path))
                .bytes();
        fetched = bytes;
      }
      return new InMemoryInputFile(path, bytes);
    }

    @Override
    public long getLength() {
      return file().getLength();
    }

    @Override
    public SeekableInputStream newStream() {
      return file().newStream();
    }

    @Override
    public String location() {
      return path;
    }

    @Override
    public boolean exists() {
      return store.head(path).isPresent();
    }
  }

  private final class Out implements OutputFile {
    private final String path;

    Out(String path) {
      this.path = path;
    }

    @Override
    public PositionOutputStream create() {
      return new Upload(path, Condition.ifAbsent());
    }

    @Override
    public PositionOutputStream createOrOverwrite() {
      return new Upload(path, Condition.none());
    }

    @Override
    public String location() {
      return path;
    }

    @Override
    public InputFile toInputFile() {
      return new In(path);
    }
  }

  private final class Upload extends PositionOutputStream {
    private final String path;
    private final Condition condition;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
    private boolean closed;

    Upload(String path, Condition condition) {
      this.path = path;
      this.condition = condition;
    }

    @Override
    public long getPos() {
      return bytes.size();
    }

    @Override
    public void write(int b) {
      bytes.write(b);
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      bytes.write(source, offset, length);
    }

    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      if (!store.put(path, Body.of(bytes.toByteArray()), condition).written()) {
        throw new AlreadyExistsException("there is a %s already", path);
      }
    }
  }
}
