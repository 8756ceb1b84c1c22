// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Ledgers.Heads;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import io.tidemark.objects.ETag;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A record is read while it is changed as a whole: half of its documents before, half after. */
class ReadsAcrossAnEditTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final String MAIN = new RecordKey(MYDB, DocumentLayout.C.main()).text();
  private static final String INDEX = new RecordKey(MYDB, RecordKey.Part.INDEX).text();
  private static final String STATUS = new RecordKey(MYDB, RecordKey.Part.STATUS).text();

  /** Lets an edit happen after one document was read and before another is. */
  private static final class InterleavingBackend extends ForwardingBackend {
    private final String first;
    private final String second;
    private final Runnable edit;
    private final CountDownLatch edited = new CountDownLatch(1);

    InterleavingBackend(ObjectBackend wrapped, String first, String second, Runnable edit) {
      super(wrapped);
      this.first = first;
      this.second = second;
      this.edit = edit;
    }

    @Override
    public ReadResult<Content> get(String key, Optional<ETag> known) {
      if (key.equals(second)) {
        await();
      }
      ReadResult<Content> read = super.get(key, known);
      if (key.equals(first) && edited.getCount() > 0) {
        edit.run();
        edited.countDown();
      }
      return read;
    }

    private void await() {
      try {
        edited.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final ObjectBackend store = new MemoryBackend();
  private final NameService writer =
      new NameService(open(store), NameOptions.standard().withoutNotifications());

  private static NameBackend open(ObjectBackend backend) {
    return new ObjectNameBackend(
        new ObjectStore(backend, Retry.standard()),
        DocumentLayout.C,
        Retry.standard(),
        Clock.systemUTC());
  }

  @BeforeEach
  void aRecordWithAStatusOfItsOwn() {
    writer.create(MYDB);
    writer.retract(MYDB);
    writer.restore(MYDB);
  }

  private NameRecord readAcross(String first, String second, Runnable edit) {
    try (NameBackend reader = open(new InterleavingBackend(store, first, second, edit))) {
      return reader.find(MYDB).orElseThrow();
    }
  }

  @Test
  void theStatusOfARetractedRecordIsThatOfTheRetraction() {
    NameRecord found = readAcross(STATUS, MAIN, () -> writer.retract(MYDB));
    assertThat(found.meta().retracted()).isTrue();
    assertThat(found.status()).isEqualTo(writer.find(MYDB).orElseThrow().status());
    assertThat(found.status().watermark()).isEqualTo(4);
  }

  @Test
  void theStatusOfARestoredRecordIsThatOfTheRestoration() {
    writer.retract(MYDB);
    NameRecord found = readAcross(MAIN, STATUS, () -> writer.restore(MYDB));
    assertThat(found.meta().retracted()).isFalse();
    assertThat(found.status()).isEqualTo(writer.find(MYDB).orElseThrow().status());
    assertThat(found.status().watermark()).isEqualTo(5);
  }

  @Test
  void anIndexIsNotReadFromBeforeAResetThatTheHeadIsReadAfter() {
    writer.ledgers().publishCommit(MYDB, Ref.of("c5", 5));
    writer.ledgers().publishIndex(MYDB, Ref.of("i5", 5));
    Heads one = new Heads(Ref.of("c1", 1), Ref.UNBORN);
    NameRecord found = readAcross(INDEX, MAIN, () -> writer.ledgers().reset(MYDB, one));
    assertThat(found.commit()).isEqualTo(one.commit());
    assertThat(found.indexed()).isEqualTo(one.index());
  }
}
