package flinkser.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flinkser.bench.corpus.Bytes;
import flinkser.bench.corpus.Corpus;
import flinkser.bench.corpus.Rec;
import flinkser.bench.corpus.Workload;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CorpusTest {
    /** The published table of the record corpus, and the check value of the posts. */
    @ParameterizedTest
    @CsvSource({
        "scalar,      23.921875,    15,    35,    638b75b8f271d70fdb7a12b4eb0a0e3ae6514ff3db4c25f50668c59335a89c1a",
        "text,        1663.765625,  1655,  1675,  8b472880b7235fc62f031b8b7c3b48a1342c0faeca766d5d5c10063db36b514e",
        "nested,      46.4375,      38,    58,    ba072bd0919801dbfcc52e78bdd9684e6cd10117e0cf3a3f27af8b1e7e758919",
        "collections, 498.140625,   485,   510,   25add6cf1d0e3115b18fdef45f6542d895dce3018de6f5fdf97875ce286c86c5",
        "large,       65563.921875, 65555, 65575, 7589ae7dc84b0d0ac86401e0a613d8e8af8a109f3ca0b7ce1ffc1fed196e5a31",
        "social,      768,          768,   768,   ec9c51e406f79067f5b28244333f554385a2c444d7624164142dac82040b0f7b",
    })
    void framesAreThePublishedOnes(String workload, double mean, int min, int max, String sha256) throws Exception {
        Frames frames = Frames.of(Workload.of(workload));
        assertEquals(sha256, frames.sha256());
        assertEquals(64, frames.records());
        assertEquals(mean, (double) frames.total() / 64);
        assertEquals(min, frames.min());
        assertEquals(max, frames.max());
    }

    @Test
    void drawsArePublishedOnes() throws Exception {
        for (Workload workload : List.of(Workload.TEXT, Workload.LARGE)) {
            byte[] payload = Corpus.records(workload).get(0).payload().toArray();
            assertEquals("8b4d9ee1329c7094", HexFormat.of().formatHex(Arrays.copyOf(payload, 8)));
        }
        Rec first = Corpus.records(Workload.COLLECTIONS).get(0);
        assertEquals(-8428264557028818484L, first.values().get(0));
        assertEquals(3670358867723507746L, first.values().get(1));
        assertEquals(-7019070245537174365L, first.attributes().get("key-15"));
        assertEquals(257405718441632692L, first.attributes().get("key-0"));
        byte[] seventh = Corpus.records(Workload.LARGE).get(7).payload().toArray();
        assertEquals(
                "c6850c05e118bb499a8aaa156ff2cfdea91749ec531265aa221c5da39c1cd23f",
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(seventh)));
    }

    @ParameterizedTest
    @EnumSource(Workload.class)
    void aWorkloadIsTheSameWhenDrawnAgain(Workload workload) {
        List<?> values = Corpus.values(workload);
        assertEquals(64, values.size());
        assertNotSame(values, Corpus.values(workload));
        assertEquals(values, Corpus.values(workload));
        assertNotEquals(values.get(1), values.get(2));
    }

    @Test
    void notesAreMissingEmptyAndThere() {
        List<Rec> records = Corpus.records(Workload.SCALAR);
        assertNull(records.get(0).note());
        assertEquals("", records.get(1).note());
        assertEquals("note-2", records.get(2).note());
    }

    @Test
    void theOrderOfAttributesIsNoPartOfARecord() {
        Rec r = Corpus.records(Workload.COLLECTIONS).get(0);
        Rec sorted = new Rec(
                r.id(),
                r.timestamp(),
                r.active(),
                r.name(),
                r.note(),
                r.payload(),
                r.child(),
                r.values(),
                new java.util.TreeMap<>(r.attributes()));
        assertNotEquals(List.copyOf(r.attributes().keySet()), List.copyOf(sorted.attributes().keySet()));
        assertEquals(r, sorted);
    }

    @Test
    void viewsOfAPayloadAreIndependentAndReadOnly() {
        Bytes payload = Corpus.records(Workload.TEXT).get(0).payload();
        ByteBuffer view = payload.view();
        view.getLong();
        assertEquals(1024, payload.view().remaining());
        assertTrue(view.isReadOnly());
        assertThrows(ReadOnlyBufferException.class, () -> view.put(0, (byte) 0));
        byte[] copy = payload.toArray();
        copy[0]++;
        assertNotEquals(Bytes.copyOf(copy), payload);
        assertEquals(Bytes.copyOf(payload.toArray()), payload);
        assertArrayEquals(payload.toArray(), Bytes.copyOf(payload.view()).toArray());
    }

    @Test
    void valuesCannotBeChanged() {
        List<Rec> records = Corpus.records(Workload.COLLECTIONS);
        assertThrows(UnsupportedOperationException.class, () -> records.get(0).values().add(1L));
        assertThrows(UnsupportedOperationException.class, () -> records.get(0).attributes().clear());
    }
}
